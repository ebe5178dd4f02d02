import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Inputs, Outputs } from '../../../../typescript/procedures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { Picture } from '../../../primitives/picture.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { MY_LISTING, type OwnListing, openReports, VARIANTS } from '../studio-queries.ts';
import { useAct } from '../use-act.ts';

type Answer = Inputs['tours']['answerMismatch']['answer'];
type Report = Outputs['tours']['listMismatchReports']['items'][number];

/** The open reports of people who visited the home, each to be answered; nothing when there are none. */
export default function VisitReports({
  listing: { propertyId, propertyTimeZoneName },
}: {
  readonly listing: OwnListing;
}) {
  const { api } = useSite();
  const { t } = useText();
  const { data = [] } = useQuery(openReports(api, propertyId));
  if (data.length === 0) return null;
  return (
    <Section title={t('studio.reports.title', { count: data.length })}>
      <p className="muted">{t('studio.reports.text')}</p>
      <ul className="stack">
        {data.map((report) => (
          <li key={report.reportId}>
            <VisitReport report={report} timeZone={propertyTimeZoneName} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function VisitReport({ report, timeZone }: { readonly report: Report; readonly timeZone: string }) {
  const { api, notices } = useSite();
  const { t, dateTime } = useText();
  const queries = useQueryClient();
  const { isBusy, act } = useAct();
  const { reportId, propertyId, imageId, note, createdAt, withdrawnBy } = report;
  const answer = (words: Answer) =>
    act(async () => {
      try {
        await api.tours.answerMismatch({ reportId, answer: words });
        notices.say('studio.reports.answered');
      } finally {
        // What a colleague answered meanwhile is shown too.
        for (const queryKey of [openReports(api, propertyId).queryKey, VARIANTS, MY_LISTING])
          await queries.invalidateQueries({ queryKey });
      }
    });
  return (
    <article className="panel visit-report">
      <Picture imageId={imageId} alt={t('studio.reports.picture')} ratio={4 / 3} sizes="24rem" />
      <div className="stack">
        <p className="muted">{dateTime(createdAt, timeZone)}</p>
        <p dir="auto">{note ?? t('studio.reports.noNote')}</p>
        {withdrawnBy === 'REPORTS' ? <p role="note">{t('studio.reports.byReports')}</p> : null}
        <div className="row">
          <Button isDisabled={isBusy} onPress={() => void answer('acknowledge')}>
            {t('studio.reports.acknowledge')}
          </Button>
          <Button kind="danger" isDisabled={isBusy} onPress={() => void answer('withdraw')}>
            {t('studio.reports.withdraw')}
          </Button>
        </div>
      </div>
    </article>
  );
}
