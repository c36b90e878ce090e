import runtime from '../../vendor/node_modules/react/cjs/react-jsx-runtime.production.js';
export const { Fragment, jsx, jsxs } = runtime;
