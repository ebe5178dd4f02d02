import { startBenchEnvironment } from './ops/bench/load/bench-environment.ts';
import { seedListings } from './ops/bench/search/listings.ts';
import { publicListings, pageOf, PAGE_HEADERS } from './ops/bench/site/home-pages.ts';
import fs from 'node:fs';
const env = await startBenchEnvironment({ scratch: '/tmp/pp/stack', durable: false });
try {
  await seedListings(env.pool, Number(process.argv[2] ?? 1_000_000));
  console.log('seeded');
  await env.pool.query(`alter system set log_min_duration_statement = 0`); await env.pool.query('select pg_reload_conf()');
  const homes = await publicListings(env, 400);
  const web = await env.startRole('web');
  const times: number[] = [];
  for (const id of homes.slice(0, 300)) { const t = performance.now(); const r = await fetch(web.url + pageOf(id), { headers: PAGE_HEADERS }); await r.text(); times.push(performance.now() - t); }
  const last = times.slice(100).sort((a, b) => a - b); console.log('p50', last[100], 'p99', last[198]);
  fs.writeFileSync('/tmp/pp/url', env.stack.databaseUrl + '\n' + web.url + '\n' + JSON.stringify(homes));
  console.log('ready'); 
  if (process.argv[3]) await new Promise((r) => setTimeout(r, Number(process.argv[3]) * 1000));
} finally { await env.stop(); }
