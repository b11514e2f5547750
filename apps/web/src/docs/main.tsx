import { render } from 'preact';
import { Page } from './page.js';

const place = document.querySelector('#page');
if (place === null) throw new Error('the page has no element #page');
render(<Page />, place);
