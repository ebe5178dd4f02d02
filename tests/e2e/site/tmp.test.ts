import { readdirSync } from 'node:fs';
import { test } from 'vitest';
import { describeSite } from './site-world.ts';

describeSite('shots', (site) => {
  test('shots', async () => {
    const chunk = readdirSync('dist/site/client/assets').filter((n) =>
      /^maplibre-gl-(?!worker).*\.js$/.test(n),
    );
    console.log(chunk);
    const views: [string, string][] = [
      ['box=-122.42,47.55,-122.27,47.68', 'mid'],
      ['box=-122.345,47.595,-122.30,47.64', 'near'],
      ['box=-122.335,47.605,-122.318,47.618', 'street'],
      ['box=-122.6,47.4,-122.0,47.8', 'far'],
    ];
    for (const width of [1280, 390] as const)
      for (const theme of ['light', 'dark'] as const) {
        const window = await site().open({ width, theme });
        const bad: string[] = [];
        window.page.on('request', (r) => {
          if (!r.url().startsWith(site().url) && !r.url().startsWith('blob:')) bad.push(r.url());
        });
        for (const [box, name] of views) {
          if (name !== 'mid' && name !== 'near' && (width === 390 || theme === 'dark')) continue;
          const t = Date.now();
          await window.go('/search?view=map&zoom=12&' + box);
          await window.page.locator('.search-map .button-pill').first().waitFor({ timeout: 60_000 });
          await window.page.waitForLoadState('networkidle');
          await window.page.waitForTimeout(4000);
          console.log(width, theme, name, Date.now() - t, bad);
          await window.page.screenshot({ path: `/tmp/h2/${name}-${width}-${theme}.png` });
        }
        try {
          await window.close();
        } catch (e) {
          console.log(String(e));
        }
      }
  }, 300_000);
});
