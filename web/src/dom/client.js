export { createRoot } from '../../vendor/node_modules/react-dom/cjs/react-dom-client.production.js';
