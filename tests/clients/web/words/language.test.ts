import { describe, expect, test } from 'vitest';
import { createLanguage } from '../../../../clients/web/words/language.ts';
import type { WordPart } from '../../../../clients/web/words/word-parts.ts';
import { ownSite } from '../../../../src/site/read-site.ts';

describe('the words of the studio', () => {
  /** Loads come when the test lets them. */
  function languageWith(...parts: WordPart[]) {
    const loads: { readonly what: string; come(): void; fail(): void }[] = [];
    const first = { locale: 'en', parts, catalog: { word: 'en user' }, units: ownSite() } as const;
    const language = createLanguage(first, (locale, wanted) => {
      const name = [locale, ...wanted].join(' ');
      return new Promise((resolve, reject) =>
        loads.push({
          what: name,
          come: () => resolve({ word: name }),
          fail: () => reject(new Error(`no ${name}`)),
        }),
      );
    });
    const shown: string[] = [];
    language.subscribe(() => shown.push(language.text.t('word')));
    return { language, loads, shown, names: () => loads.map(({ what }) => what) };
  }

  test('are added once, and every page that needs them waits for them', async () => {
    const { language, loads, shown, names } = languageWith();
    const ready: string[] = [];
    const both = ['one', 'other'].map((name) => language.addWords(['studio']).then(() => ready.push(name)));
    await Promise.resolve();
    expect([names(), ready]).toEqual([['en studio'], []]);
    loads[0]?.come();
    await Promise.all(both);
    await language.addWords(['studio']);
    expect([names(), shown]).toEqual([['en studio'], ['en studio']]);
  });

  test('are kept when the language is switched', async () => {
    const { language, loads, shown } = languageWith('studio');
    const switched = language.switchTo('es');
    loads[0]?.come();
    await switched;
    await language.switchTo('es');
    await language.addWords(['studio']);
    expect([shown, loads.length, language.text.locale]).toEqual([['es studio'], 1, 'es']);
  });

  test('are asked for again after they could not be loaded', async () => {
    const { language, loads, names } = languageWith();
    const failed = language.addWords(['studio']);
    loads[0]?.fail();
    await expect(failed).rejects.toThrow('no en studio');
    const second = language.addWords(['studio']);
    loads[1]?.come();
    await second;
    expect([names(), language.text.t('word')]).toEqual([['en studio', 'en studio'], 'en studio']);
  });

  test('come in the language that was chosen last, whichever is loaded first', async () => {
    const { language, loads, shown } = languageWith();
    const added = language.addWords(['studio']);
    const switched = language.switchTo('es');
    loads[1]?.come();
    await switched;
    loads[0]?.come();
    await added;
    expect([shown, language.text.locale]).toEqual([['es studio'], 'es']);
  });
});
