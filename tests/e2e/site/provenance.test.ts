import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { testSigning } from '../../../ops/dev/signing-certificates.ts';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';
import { stagedXmp } from '../../../src/images/marks/xmp.ts';
import { eventually } from '../../support/eventually.ts';
import { ask, storedDrift, storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { axeFindings, overflow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** The page that says where a picture comes from (docs/contract.md#provenance). */
const signing = testSigning();
const settings = {
  ...signing.settings,
  C2PA_CERTIFICATE_CHAIN: signing.leaf.pem + signing.root.pem,
};

describeSite(
  'the page of a picture’s provenance',
  (site) => {
    const path = () => `/provenance/${site().home.staged}`;
    const approver = async (imageId: string, procedure: string) => {
      const answer = await site().agent.mutate(`ai.${procedure}`, { imageId });
      expect(answer.status, answer.text).toBe(200);
    };
    /** A picture of a photo of its own, so that the others stay as they are. */
    const newPicture = async (): Promise<string> => {
      const { propertyId } = site().home;
      const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#765' } })
        .jpeg()
        .toBuffer();
      const { imageId } = await storedOriginal(site().host, { propertyId, bytes, format: 'jpeg' });
      const id = await storedVariant(
        site().host,
        { imageId, propertyId },
        { reviewStatus: 'PENDING_REVIEW', bytes, format: 'jpeg' },
      );
      await approver(id, 'approveStagedVariant');
      return id;
    };

    test.each(['en', 'es'] as const)('is whole without JavaScript, in %s', async (locale) => {
      const window = await site().open({ width: 390, javaScript: false });
      const { page } = window;
      expect(await window.go((locale === 'es' ? '/es' : '') + path())).toBe(200);
      const { data } = await site().agent.query('provenance.get', { stagedImageId: site().home.staged });
      const text = await page.locator('main').innerText();
      for (const part of [data.originalChecksum, data.outputChecksum, data.provenanceUrl])
        expect(text).toContain(part);
      for (const part of locale === 'en'
        ? [
            'Living room',
            'Modern',
            'Real-estate agent, no office given',
            'Approved and published:',
            'UTC',
            'needs JavaScript',
          ]
        : [
            'Sala',
            'Moderno',
            'Agente inmobiliario, sin oficina indicada',
            'Aprobada y publicada:',
            'necesita JavaScript',
          ])
        expect(text).toContain(part);
      expect(text).not.toContain('Ada Lovelace');
      const pictures = page.locator('.before-after img');
      const shown = await pictures.evaluateAll((all) => all.map((one) => one.getAttribute('src')));
      expect(shown).toEqual(
        [site().home.photos[0], site().home.staged].map((id) => `/api/images/${id}?w=768`),
      );
      for (const alt of await pictures.evaluateAll((all) => all.map((one) => one.getAttribute('alt'))))
        expect(alt).toMatch(/\w{5}/);
      const link = page.locator(`main a[href$="/properties/${site().home.propertyId}"]`);
      expect(await link.count()).toBe(1);
      const links = await page
        .locator('link[rel=canonical], link[rel=alternate]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      const [en, es] = [`${site().url}${path()}`, `${site().url}/es${path()}`];
      expect(links).toEqual([locale === 'en' ? en : es, en, es, en]);
      await eventually(
        () =>
          page
            .locator('.provenance-address img')
            .evaluate((one) => Number(Reflect.get(one, 'naturalWidth')) > 0),
        { what: 'the code to be drawn' },
      );
      await window.close();
    });

    test('says what differs from the photo, and shows where when it is asked to', async () => {
      const imageId = await newPicture();
      await storedDrift(site().host, imageId);
      const window = await site().open({ width: 390 });
      const { page } = window;
      await window.go(`/provenance/${imageId}`);
      const changes = page.locator('section', { hasText: 'Differences from the photo' });
      await changes.getByText('The room’s shape may have changed').waitFor();
      const map = page.getByAltText('Areas of the picture that differ from the photo');
      expect(await map.isVisible()).toBe(false);
      await page.getByText('Show changed areas').click();
      await eventually(async () => map.evaluate((one) => Reflect.get(one, 'naturalWidth') === 64), {
        what: 'the areas to be drawn',
      });
      expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0]);
      await window.close();
    });

    test('is a document of its own: only it may run WebAssembly, however it is reached', async () => {
      const window = await site().open();
      const { page } = window;
      const powers: Record<string, boolean> = {};
      page.on('response', (response) => {
        const policy = response.headers()['content-security-policy'];
        if (response.request().isNavigationRequest() && policy !== undefined)
          powers[new URL(response.url()).pathname] = policy.includes("'wasm-unsafe-eval'");
      });
      await window.go(path());
      await page.getByRole('link', { name: 'See this home' }).click();
      await page.getByRole('heading', { name: /12 Lakeview/ }).waitFor();
      await page.locator('html[data-ready]').waitFor({ state: 'attached' });
      await page.goBack();
      await page.getByRole('heading', { name: /how this picture was made/ }).waitFor();
      await page.locator('html[data-ready]').waitFor({ state: 'attached' });
      await window.go('/menu');
      expect(powers).toEqual({
        [path()]: true,
        [`/properties/${site().home.propertyId}`]: false,
        '/menu': false,
      });
      await window.close();
    });

    test('changes within seconds when the picture is withdrawn and shown again, at the same address', async () => {
      const id = await newPicture();
      const window = await site().open();
      const { page } = window;
      const address = `/provenance/${id}`;
      const says = async (word: RegExp) => {
        await eventually(
          async () => {
            expect(await window.go(address)).toBe(200);
            return word.test(await page.locator('main').innerText());
          },
          { what: `the page to say ${word}`, timeoutMs: 15_000 },
        );
        expect(await page.locator(`.before-after-picture img[src*="${id}"]`).count()).toBe(
          word.test('AI · Virtually staged Published again:') ? 1 : 0,
        );
        return page.locator('.before-after-picture img').count();
      };
      expect(await says(/AI · Virtually staged/)).toBe(2);
      const sums = await page.locator('.provenance-facts code').allInnerTexts();
      await approver(id, 'withdrawStagedVariant');
      // The photo alone.
      expect(await says(/Withdrawn on .* UTC/)).toBe(1);
      expect(await page.locator('.provenance-facts code').allInnerTexts()).toEqual(sums);
      expect(await axeFindings(page)).toEqual([]);
      await approver(id, 'liftWithdrawal');
      expect(await says(/Published again:/)).toBe(2);
      await site().host.rows('delete from property_images where id = $1', [id]);
      expect(await says(/the picture was deleted/)).toBe(1);
      await window.close();
    });

    test('a picture that was never approved has no page, like an unknown id', async () => {
      const window = await site().open();
      expect(await window.go(`/provenance/${site().home.photos[0]}`)).toBe(404);
      expect(await window.go('/provenance/00000000-0000-4000-8000-000000000000')).toBe(404);
      expect(await window.go('/provenance/x')).toBe(404);
      await window.close();
    });

    test('the slider and the file to check are reached and used by keyboard', async () => {
      const window = await site().open({ width: 390 });
      const { page } = window;
      await window.go(path());
      const focus = () => page.evaluate('document.activeElement.outerHTML.slice(0, 400)') as Promise<string>;
      const tabTo = async (wanted: RegExp) => {
        for (let step = 0; step < 40 && !wanted.test(await focus()); step += 1)
          await page.keyboard.press('Tab');
        expect(await focus()).toMatch(wanted);
      };
      await tabTo(/type="range"/);
      const slider = page.getByRole('slider');
      await page.keyboard.press('ArrowRight');
      expect(await slider.inputValue()).toBe('51');
      await tabTo(/type="file"/);
      await window.close();
    });

    describe('the check of a file', () => {
      const check = async (page: Page, buffer: Buffer, name = 'picture.jpg') => {
        await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/jpeg', buffer });
        const status = page.locator('main [role=status]');
        await status
          .getByText(name === 'picture.jpg' ? /SHA-256|not|larger/ : name)
          .first()
          .waitFor();
        return status;
      };
      /** The sentences about a file, checked on a page that is open. */
      const findings = async (page: Page, buffer: Buffer) => {
        const name = `file-${buffer.length}-${buffer[Math.floor(buffer.length / 2)]}-${Math.random()}.jpg`;
        const status = await check(page, buffer, name);
        return status.locator('.provenance-finding').allInnerTexts();
      };
      const objectOf = async (imageId: string): Promise<Buffer> => {
        const { createObjectStorage } = await import('../../../src/storage/object-storage.ts');
        const [row] = await site().host.rows<{ objectKey: string }>(
          'select "objectKey" from property_images where id = $1',
          [imageId],
        );
        const storage = createObjectStorage(site().host.config.s3);
        const { bytes } = await storage.get(row?.objectKey ?? '');
        storage.close();
        return Buffer.from(bytes);
      };
      const downloaded = async (format: string) =>
        (await ask({ url: site().url }, `/api/images/${site().home.staged}?w=768&format=${format}`)).bytes;

      test('knows the stored files, bit for bit, and copies with no mark but a text', async () => {
        const window = await site().open();
        const { page } = window;
        await window.go(path());
        expect(await findings(page, await objectOf(site().home.photos[0] ?? ''))).toEqual([
          expect.stringContaining('This is exactly the stored photo, bit for bit.'),
          expect.stringContaining('It looks like the photo, without the staging'),
        ]);
        expect(await findings(page, await objectOf(site().home.staged))).toEqual([
          expect.stringContaining('This is exactly the staged picture'),
          expect.stringContaining('It looks like the staged picture'),
        ]);
        const signed = await downloaded('jpeg');
        const address = `${site().url}${path()}`;
        const staged = [
          expect.stringContaining('The text in this file says: AI made parts of it.'),
          expect.stringContaining('The text in this file names this page'),
          expect.stringContaining('It looks like the staged picture'),
        ];
        for (const format of ['jpeg', 'png'] as const)
          expect(
            await findings(page, await sharp(signed).withXmp(stagedXmp(address)).toFormat(format).toBuffer()),
          ).toEqual(staged);
        const elsewhere = stagedXmp('https://elsewhere.example.com/provenance/1');
        expect(await findings(page, await sharp(signed).withXmp(elsewhere).jpeg().toBuffer())).toEqual(
          staged.with(1, expect.stringContaining('The text in this file names a different page')),
        );
        await window.close();
      });

      test('sends nothing, and loads its library with the first file that has a manifest', async () => {
        const window = await site().open();
        const { page } = window;
        await window.go(path());
        await page.waitForLoadState('networkidle');
        const requests: string[] = [];
        page.on('request', (request) =>
          requests.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ''}`),
        );
        await findings(
          page,
          await sharp(await downloaded('jpeg'))
            .jpeg()
            .toBuffer(),
        );
        expect(requests.splice(0).filter((one) => one.includes('.wasm'))).toEqual([]);
        const signed = await downloaded('jpeg');
        // Its manifest lies at another address, which is not asked.
        const remote = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="${site().url}/api/manifest"/></rdf:RDF></x:xmpmeta>`;
        await findings(page, signed);
        const loaded = requests.splice(0);
        expect(loaded.filter((one) => one.includes('.wasm'))).toHaveLength(1);
        const pictures = [site().home.staged, site().home.photos[0]].map((id) => `GET /api/images/${id} `);
        const others = () =>
          loaded.filter(
            (one) => !/^GET \/assets\/[\w.-]+\.(?:js|wasm) $/.test(one) && !pictures.includes(one),
          );
        expect(others()).toEqual([]);
        loaded.splice(0);
        await findings(page, signed);
        await findings(page, await sharp(signed).withXmp(remote).jpeg().toBuffer());
        loaded.push(...requests.splice(0));
        expect([others(), loaded.some((one) => one.includes('wasm'))]).toEqual([[], false]);
        await window.close();
      });

      test.each([
        ['no picture', Buffer.from('Hello'), 'This is not a picture'],
        ['an empty file', Buffer.alloc(0), 'This is not a picture'],
        ['a file above 20 MB', Buffer.alloc(20 * 1024 * 1024 + 1), 'larger than 20 MB'],
      ])('says of %s why it is not checked', async (_, bytes, words) => {
        const window = await site().open({ width: 390, theme: 'dark' });
        await window.go(path());
        const file = window.page.locator('input[type=file]');
        const dropped = `const file = new File([new Uint8Array(${bytes.length})], 'a.jpg');
          const data = new DataTransfer(); data.items.add(file);
          document.querySelector('.provenance-drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));`;
        if (bytes.length > 1_000_000) await window.page.evaluate(dropped);
        else await file.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: bytes });
        await window.page.getByText(words).waitFor();
        expect(await axeFindings(window.page)).toEqual([]);
        expect(await overflow(window.page)).toBe(0);
        await window.close();
      });

      test('leaves the page usable whatever a file holds', async () => {
        const window = await site().open();
        const { page } = window;
        await window.go(path());
        const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');
        const segment = Buffer.concat([Buffer.from('ffebea6a4a500001', 'hex'), Buffer.alloc(60_002, 0x81)]);
        const hostile: Record<string, Buffer> = {
          'packets.jpg': Buffer.concat([jpeg, Buffer.from('<x:xmpmeta'.repeat(800_000))]),
          'segments.jpg': Buffer.concat([jpeg, ...Array.from({ length: 700 }, () => segment)]),
          'names.jpg': Buffer.concat([
            jpeg,
            Buffer.from(`<x:xmpmeta>${':DigitalSourceType '.repeat(200_000)}</x:xmpmeta>`),
          ]),
        };
        const folder = temporaryDirectory();
        for (const [name, buffer] of Object.entries(hostile)) {
          await page.evaluate(`window.longest = 0; window.last = performance.now();
            window.beat ??= setInterval(() => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; }, 20)`);
          // By its path: otherwise the page itself would unpack it.
          const file = join(folder, name);
          await writeFile(file, buffer);
          await page.locator('input[type=file]').setInputFiles(file);
          const status = page.locator('main [role=status].stack');
          await status.getByText('Checking the file…').waitFor({ state: 'detached' });
          await status.locator('p').first().waitFor();
          expect([name, Number(await page.evaluate('longest')) < 2_000]).toEqual([name, true]);
        }
        await window.close();
      });

      test('has the policy of its worker: it reaches nothing but its library', async () => {
        const window = await site().open();
        const { page } = window;
        await window.go(path());
        const script = page.waitForResponse(/check-worker/);
        await check(page, await downloaded('jpeg'));
        expect((await script).headers()['content-security-policy']).toBe(
          "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
        );
        await window.close();
      });

      test('says when its library cannot be loaded, and works at the next try', async () => {
        const window = await site().open();
        const { page } = window;
        await window.go(path());
        await page.route('**/*.wasm', (route) => route.abort());
        const buffer = await downloaded('jpeg');
        const file = page.locator('input[type=file]');
        await file.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
        await page.getByText('We couldn’t load the check.').waitFor();
        await page.unroute('**/*.wasm');
        expect(await findings(page, buffer)).toContainEqual(expect.stringContaining('Signed by us'));
        window.complaints.splice(0);
        await window.close();
      });
    });
  },
  settings,
);
