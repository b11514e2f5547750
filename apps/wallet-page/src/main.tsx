import '@sotto/web/look.css';
import './page.css';
import { render } from 'preact';
import { App } from './app.js';

const place = document.querySelector('#page');
if (place === null) throw new Error('the page has no element #page');
render(<App />, place);
