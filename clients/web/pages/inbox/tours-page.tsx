import { useText } from '../../app/use-site.ts';

export function Component() {
  const { t } = useText();
  return <h1>{t('tabs.inbox')}</h1>;
}
