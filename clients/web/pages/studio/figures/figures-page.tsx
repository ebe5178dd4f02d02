import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Choices } from '../../../primitives/choices.tsx';
import { LoadFailed } from '../../../primitives/list-parts.tsx';
import { Section, Skeleton } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { Fold } from '../../listing/fold.tsx';
import { type DayFigures, type FigureDays, listingFigures } from '../studio-queries.ts';
import { Workspace } from '../workspace.tsx';
import { DayBars } from './day-bars.tsx';
import './figures.css';

const KINDS = ['views', 'saves', 'questions', 'tours'] as const;
const PERIODS: readonly FigureDays[] = [7, 30, 90];
const route = getRouteApi('/studio/$propertyId/figures');

/** How often a listing was viewed, saved, asked about and asked to be visited, by day. */
export function Component() {
  const { t } = useText();
  const { propertyId } = route.useParams();
  return (
    <Workspace propertyId={propertyId} title={t('studio.step.figures')}>
      {() => <Figures propertyId={propertyId} />}
    </Workspace>
  );
}

function Figures({ propertyId }: { readonly propertyId: string }) {
  const { api } = useSite();
  const { t } = useText();
  const [period, setPeriod] = useState<FigureDays>(30);
  const { data, isError, refetch } = useQuery({
    ...listingFigures(api, { propertyId, days: period }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Choices
        legend={t('studio.figures.period')}
        isLegendHidden
        name="period"
        value={String(period)}
        options={PERIODS.map((days) => ({
          value: String(days),
          label: t('studio.figures.days', { count: days }),
        }))}
        onChange={(value) => setPeriod(PERIODS.find((days) => String(days) === value) ?? period)}
      />
      {data === undefined ? (
        isError ? (
          <LoadFailed onRetry={() => void refetch()} />
        ) : (
          <Skeleton height="24rem" />
        )
      ) : (
        <>
          {KINDS.map((kind) => (
            <Section key={kind} title={t(`studio.figures.${kind}`)}>
              <DayBars kind={kind} days={data} />
            </Section>
          ))}
          <p className="muted">{t('studio.figures.method')}</p>
          <Fold title={t('studio.figures.table')}>
            <FigureTable days={data} />
          </Fold>
        </>
      )}
    </>
  );
}

/** The latest day first. */
function FigureTable({ days }: { readonly days: readonly DayFigures[] }) {
  const { t, number, date } = useText();
  return (
    <div className="table-scroll">
      <table className="figures-table">
        <caption className="visually-hidden">{t('studio.step.figures')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('studio.figures.day')}</th>
            {KINDS.map((kind) => (
              <th key={kind} scope="col">
                {t(`studio.figures.${kind}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((figures) => (
            <tr key={figures.day}>
              <th scope="row">{date(figures.day)}</th>
              {KINDS.map((kind) => (
                <td key={kind}>{number(figures[kind])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
