import { useRouter } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import type { Locale } from '../../../../i18n/languages.ts';
import { Choices } from '../../primitives/choices.tsx';
import { Section } from '../../primitives/parts.tsx';
import { me, usePerson } from '../../session/person.ts';
import { keepLanguage } from '../../site/keeper.ts';
import { chooseTheme, currentTheme, THEMES } from '../../site/theme.ts';
import { useSite, useText } from '../../site/use-site.ts';

const LANGUAGE_NAMES = { en: 'menu.english', es: 'menu.spanish' } as const;
const THEME_NAMES = { system: 'menu.themeSystem', light: 'menu.themeLight', dark: 'menu.themeDark' } as const;
const nothing = () => () => {};

/** Language and theme, also for visitors who are not signed in. */
export function Settings() {
  const site = useSite();
  const { t, locale } = useText();
  const router = useRouter();
  const person = usePerson();
  const kept = useSyncExternalStore(nothing, currentTheme, () => 'system' as const);
  const [theme, setTheme] = useState<(typeof THEMES)[number] | null>(null);
  const { languages } = site.settings.site;
  const speak = async (next: Locale): Promise<void> => {
    keepLanguage(next);
    await site.language.switchTo(next);
    await router.navigate({ to: '/menu', replace: true });
    await router.invalidate();
    if (person != null)
      site.queries.setQueryData(me(site).queryKey, await site.api.users.updateProfile({ locale: next }));
  };
  return (
    <Section title={t('menu.settings')}>
      {languages.length === 1 ? null : (
        <Choices
          legend={t('menu.language')}
          name="language"
          value={locale}
          options={languages.map((value) => ({ value, label: t(LANGUAGE_NAMES[value]), lang: value }))}
          onChange={(value) => void speak(value)}
        />
      )}
      <Choices
        legend={t('menu.theme')}
        name="theme"
        value={theme ?? kept}
        options={THEMES.map((value) => ({ value, label: t(THEME_NAMES[value]) }))}
        onChange={(value) => {
          chooseTheme(value);
          setTheme(value);
        }}
      />
    </Section>
  );
}
