import { useHomeMarks } from '../session/use-home-marks.ts';
import { useSite, useText } from '../site/use-site.ts';
import { Button, ButtonLink } from './button.tsx';
import './compare-bar.css';

/** Leads to the comparison while two homes or more are marked. */
export function CompareBar() {
  const { marks } = useSite();
  const { t } = useText();
  const compared = useHomeMarks((known) => known.compared);
  const count = compared.length;
  if (count < 2) return null;
  return (
    <aside className="compare-bar" aria-label={t('compare.title')}>
      <ButtonLink kind="primary" to="/compare" search={{ home: compared }}>
        {t('compare.open', { count })}
      </ButtonLink>
      <Button onPress={() => marks?.compareNone()}>{t('compare.clear')}</Button>
    </aside>
  );
}
