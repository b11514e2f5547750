import '@sotto/web/look.css';
import 'uplot/dist/uPlot.min.css';
import './console.css';
import { render } from 'preact';
import { Console } from './console.js';

const place = document.querySelector('#console');
if (place === null) throw new Error('the page has no element #console');
render(<Console baseUrl={location.origin} />, place);
