// The exports of react that the pages and react-dom's client use: esbuild shortens the names of module constants.
import react from '../../vendor/node_modules/react/cjs/react.production.js';
export const {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE, createContext, memo, useCallback, useContext, useDeferredValue, useEffect, useImperativeHandle,
  useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, version,
} = react;
