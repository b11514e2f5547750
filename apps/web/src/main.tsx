import { render } from 'preact';
import { Page } from './page.js';
import { Refresher } from './refresher.js';

const place = document.querySelector('#page');
if (place === null) throw new Error('the page has no element #page');
const refresher = new Refresher(location.origin);
refresher.start();
render(
  <Page
    reading={refresher.reading}
    news={refresher.news}
    isReading={refresher.isReading}
    onRefresh={() => void refresher.refresh()}
    wallet={document.body.dataset['wallet'] ?? ''}
    operator={document.body.dataset['operator'] ?? ''}
  />,
  place,
);
