// In the place of react-dom's own index, whose portals and preloads the pages do not use: what its client takes from it.
const none = () => {};
export const __DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE = { d: { f: none, r: none, D: none, C: none, L: none, m: none, X: none, S: none, M: none }, p: 0, findDOMNode: null };
