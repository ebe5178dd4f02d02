import { buildSite } from '../dev/site/build.ts';

/** `npm run site`: builds the site when its sources have changed, and prints how much each page and the map load. */
const sizes = await buildSite();
if (sizes === null) process.stdout.write('The site is up to date.\n');
for (const { page, locale, bytes } of sizes ?? []) {
  process.stdout.write(
    `${(bytes / 1000).toFixed(1).padStart(8)} kB  ${page}${locale === null ? '' : ` (${locale})`}\n`,
  );
}
