import { describe, expect, test } from 'vitest';
import { type Audience, createLanguage } from '../../../../clients/web/words/language.ts';
import { ownSite } from '../../../../src/site/read-site.ts';

describe('the words of the studio', () => {
  /** Loads come when the test lets them. */
  function languageWith(audience: Audience = 'user') {
    const loads: { readonly what: string; come(): void; fail(): void }[] = [];
    const first = { locale: 'en', audience, catalog: { word: 'en user' }, units: ownSite() } as const;
    const language = createLanguage(first, (...what) => {
      const name = what.join(' ');
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
    const both = ['one', 'other'].map((name) => language.addAgentWords().then(() => ready.push(name)));
    await Promise.resolve();
    expect([names(), ready]).toEqual([['en agent'], []]);
    loads[0]?.come();
    await Promise.all(both);
    await language.addAgentWords();
    expect([names(), shown]).toEqual([['en agent'], ['en agent']]);
  });

  test('are kept when the language is switched', async () => {
    const { language, loads, shown } = languageWith('agent');
    const switched = language.switchTo('es');
    loads[0]?.come();
    await switched;
    await language.switchTo('es');
    await language.addAgentWords();
    expect([shown, loads.length, language.text.locale]).toEqual([['es agent'], 1, 'es']);
  });

  test('are asked for again after they could not be loaded', async () => {
    const { language, loads, names } = languageWith();
    const failed = language.addAgentWords();
    loads[0]?.fail();
    await expect(failed).rejects.toThrow('no en agent');
    const second = language.addAgentWords();
    loads[1]?.come();
    await second;
    expect([names(), language.text.t('word')]).toEqual([['en agent', 'en agent'], 'en agent']);
  });

  test('come in the language that was chosen last, whichever is loaded first', async () => {
    const { language, loads, shown } = languageWith();
    const added = language.addAgentWords();
    const switched = language.switchTo('es');
    loads[1]?.come();
    await switched;
    loads[0]?.come();
    await added;
    expect([shown, language.text.locale]).toEqual([['es agent'], 'es']);
  });
});
