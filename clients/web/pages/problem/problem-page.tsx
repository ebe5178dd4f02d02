import { useRouter } from '@tanstack/react-router';
import { Button } from '../../primitives/button.tsx';
import { useText } from '../../site/use-site.ts';

/** Shown when a page could not be loaded or shown, with a way to try again. */
export function ProblemPage({ reset }: { readonly reset: () => void }) {
  const { t } = useText();
  const router = useRouter();
  const again = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <div className="page page-narrow" role="alert">
      <h1>{t('problem.failed')}</h1>
      <p>{t('problem.failedText')}</p>
      <Button kind="primary" onPress={again}>
        {t('common.retry')}
      </Button>
    </div>
  );
}
