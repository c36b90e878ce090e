// For people who change the page: node tools/serve.mjs. The page over the answers of the tests' stand-in, built
// again at each load; prints an address to open.
import { bundle, start } from '../tests/server.mjs';

const server = await start({ bundle: bundle(), races: 200, rebuild: () => bundle().files });
console.log(`${server.url()}\nReload the page to see what you changed; Ctrl-C ends it.`);
