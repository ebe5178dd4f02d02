import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { type Variant, variants } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { Badge, StyleName } from './photo-state-parts.tsx';

const ConfirmSheet = lazy(() => import('../confirm-sheet.tsx'));

interface ApprovedPictureProps {
  readonly propertyId: string;
  readonly variant: Variant;
}

/** A picture that the public sees, or that was withdrawn; an agent takes it back, or shows it again. */
export function ApprovedPicture({ propertyId, variant }: ApprovedPictureProps) {
  const { api } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const [isAsking, setAsking] = useState(false);
  const { imageId, style, withdrawnBy, provenanceUrl } = variant;
  const change = (call: typeof api.ai.liftWithdrawal) =>
    act(async () => {
      await call({ imageId });
      await queries.invalidateQueries({ queryKey: variants(api, propertyId).queryKey });
    });
  return (
    <>
      <StyleName style={style ?? ''} />
      {withdrawnBy === null ? (
        <Badge tone="success" word="review.status.APPROVED" />
      ) : (
        <Badge tone="warning" word={`studio.picture.withdrawnBy.${withdrawnBy}`} />
      )}
      {provenanceUrl === null ? null : <a href={provenanceUrl}>{t('studio.picture.provenance')}</a>}
      {withdrawnBy === null ? (
        <Button kind="quiet" isDisabled={isBusy} onPress={() => setAsking(true)}>
          {t('studio.picture.withdraw')}
        </Button>
      ) : null}
      {withdrawnBy === 'AGENT' ? (
        <Button kind="quiet" isDisabled={isBusy} onPress={() => void change(api.ai.liftWithdrawal)}>
          {t('studio.picture.lift')}
        </Button>
      ) : null}
      <Suspense>
        {isAsking ? (
          <ConfirmSheet
            title={t('studio.picture.withdrawTitle')}
            text={t('studio.picture.withdrawText')}
            action={t('studio.picture.withdraw')}
            onClose={() => setAsking(false)}
            onConfirm={() => {
              setAsking(false);
              void change(api.ai.withdrawStagedVariant);
            }}
          />
        ) : null}
      </Suspense>
    </>
  );
}
