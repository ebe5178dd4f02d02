import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../primitives/button.tsx';
import { Icon } from '../../../primitives/icon.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { failedJobs, type Job, openJobs } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { ApprovedPicture } from './approved-picture.tsx';
import { Badge, StyleName } from './photo-state-parts.tsx';
import type { StyleState } from './photo-states.ts';

interface PhotoStatesProps {
  readonly propertyId: string;
  readonly states: readonly StyleState[];
  /** Fills the order in as it was made for a picture that was rejected. */
  readonly onStageAgain: (job: Job) => void;
}

/** What has become of a photo: a line for each style, with what it waits for and what can be done. */
export default function PhotoStates({ propertyId, states, onStageAgain }: PhotoStatesProps) {
  return (
    <ul className="photo-states">
      {states.map((state) => (
        <li key={state.kind === 'staged' ? state.variant.imageId : state.job.aiJobId} className="photo-state">
          <State propertyId={propertyId} state={state} onStageAgain={onStageAgain} />
        </li>
      ))}
    </ul>
  );
}

/** The code of the API for why a job failed, as a key of the catalogs. */
const failureKey = (code: string | null): string =>
  code === null
    ? 'job.status.FAILED'
    : `errors.${code.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

interface StateProps extends Pick<PhotoStatesProps, 'propertyId' | 'onStageAgain'> {
  readonly state: StyleState;
}

function State({ propertyId, state, onStageAgain }: StateProps) {
  const { t } = useText();
  if (state.kind === 'staged') {
    const { imageId, reviewStatus, style } = state.variant;
    const isPending = reviewStatus === 'PENDING_REVIEW';
    if (!isPending) return <ApprovedPicture propertyId={propertyId} variant={state.variant} />;
    return (
      <Link to="/studio/$propertyId/review" params={{ propertyId }} search={{ picture: imageId }}>
        <StyleName style={style ?? ''} />
        <Badge tone="warning" word={`review.status.${reviewStatus}`} />
      </Link>
    );
  }
  const { job, style } = state;
  if (state.kind === 'rejected')
    return (
      <>
        <StyleName style={t(`style.${style}`)} />
        <Badge tone="neutral" word="studio.picture.rejected" />
        <Button kind="quiet" onPress={() => onStageAgain(job)}>
          {t('studio.staging.again')}
        </Button>
      </>
    );
  return (
    <>
      <StyleName style={t(`style.${style}`)} />
      {state.kind === 'failed' ? (
        <>
          <Badge tone="danger" word="job.status.FAILED" />
          <span className="photo-state-why">{t(failureKey(job.errorCode))}</span>
          <Again propertyId={propertyId} job={job} />
        </>
      ) : (
        <>
          <span className="photo-state-why">
            {t(job.waitReason === null ? `job.status.${job.status}` : `job.wait.${job.waitReason}`)}
          </span>
          <Cancel propertyId={propertyId} job={job} />
        </>
      )}
    </>
  );
}

function Cancel({ propertyId, job }: { readonly propertyId: string; readonly job: Job }) {
  const { api } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const { aiJobId, status } = job;
  if (status === 'CANCEL_REQUESTED') return null;
  const cancel = () =>
    act(async () => {
      await api.ai.cancelStagingJob({ aiJobId });
      await queries.invalidateQueries({ queryKey: openJobs(api, propertyId).queryKey });
    });
  return (
    <Button
      kind="icon"
      aria-label={t('studio.staging.cancel')}
      isDisabled={isBusy}
      onPress={() => void cancel()}
    >
      <Icon name="close" />
    </Button>
  );
}

/** Orders a failed picture once more, as a new job with the furniture of the same room. */
function Again({ propertyId, job }: { readonly propertyId: string; readonly job: Job }) {
  const { api } = useSite();
  const { t } = useText();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const { originalImageId, groupId, canonicalRoomType: roomType, canonicalStyle: style } = job;
  if (roomType === null || style === null) return null;
  const order = () =>
    act(async () => {
      await api.ai.submitRoomStaging({ groupId, assignments: [{ originalImageId, roomType, style }] });
      for (const { queryKey } of [openJobs(api, propertyId), failedJobs(api, propertyId)])
        void queries.invalidateQueries({ queryKey });
    });
  return (
    <Button kind="quiet" isDisabled={isBusy} onPress={() => void order()}>
      {t('common.retry')}
    </Button>
  );
}
