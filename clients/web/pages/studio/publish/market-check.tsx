import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../primitives/button.tsx';
import { LoadFailed } from '../../../primitives/list-parts.tsx';
import { Field, Section, Skeleton, StatusBadge } from '../../../primitives/parts.tsx';
import type { StatusTone } from '../../../primitives/status-tones.ts';
import { kept } from '../../../site/keeper.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import {
  type Condition,
  DISCLOSURE,
  type DisclosureCheck,
  disclosureCheck,
  disclosureProfiles,
  type Market,
  type OwnListing,
} from '../studio-queries.ts';
import { useAct } from '../use-act.ts';
import { chosenMarket, rememberMarket } from './chosen-market.ts';
import { ExportDownload } from './export-download.tsx';
import './market-check.css';

/** What a market asks of the listing's staged pictures, what of it is met, and the pictures made ready for it. */
export function MarketCheck({
  listing: { propertyId, stateOrProvince },
  agentId,
}: {
  readonly listing: OwnListing;
  readonly agentId: string;
}) {
  const { api } = useSite();
  const { t, locale } = useText();
  const profiles = useQuery(disclosureProfiles(api, locale));
  const place = { personId: agentId, stateOrProvince };
  const [wanted, setWanted] = useState(() => chosenMarket(kept, place));
  const choose = (market: string | null): void => {
    rememberMarket(kept, place, market);
    setWanted(market);
  };
  // Another release may have had other markets.
  const isKnown = profiles.data?.items.some(({ market }) => market === wanted) ?? false;
  const chosen = isKnown ? (wanted as Market) : null;
  const byAddress = useQuery(disclosureCheck(api, { propertyId, market: null, locale }));
  const check = useQuery(disclosureCheck(api, { propertyId, market: chosen, locale }));
  const asked = [profiles, byAddress, check];
  const failed = asked.filter(({ isError }) => isError);
  return (
    <Section title={t('studio.disclosure.title')} id="disclosure">
      {failed.length > 0 ? (
        <LoadFailed onRetry={() => void Promise.all(failed.map(({ refetch }) => refetch()))} />
      ) : null}
      {profiles.data === undefined || byAddress.data === undefined ? null : (
        <Field label={t('studio.disclosure.market')}>
          <select
            className="input"
            value={chosen ?? ''}
            onChange={({ currentTarget: { value } }) => choose(value === '' ? null : value)}
          >
            <option value="">{t('studio.disclosure.byAddress', { market: byAddress.data.name })}</option>
            {profiles.data.items.map(({ market, name }) => (
              <option key={market} value={market}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
      {byAddress.data === undefined || byAddress.data.listingServices.length === 0 ? null : (
        <div className="row">
          {t('studio.disclosure.services', { state: stateOrProvince ?? '' })}
          {byAddress.data.listingServices.map(({ market, name }) => (
            <Button key={market} kind="pill" aria-pressed={market === chosen} onPress={() => choose(market)}>
              {name}
            </Button>
          ))}
        </div>
      )}
      {check.data === undefined ? (
        failed.length > 0 ? null : (
          <Skeleton height="16rem" />
        )
      ) : (
        <Answer check={check.data} propertyId={propertyId} agentId={agentId} />
      )}
    </Section>
  );
}

interface AnswerProps {
  readonly check: DisclosureCheck;
  readonly propertyId: string;
  readonly agentId: string;
}

function Answer({ check, propertyId, agentId }: AnswerProps) {
  const { api, queries } = useSite();
  const { t, date, locale } = useText();
  const { isBusy, act } = useAct();
  const {
    market,
    alteredPictures,
    publishable,
    isInForce,
    effectiveFrom,
    stale,
    caveat,
    stagedCount,
    requirements,
  } = check;
  const confirm = (condition: Condition) =>
    act(async () => {
      try {
        await api.disclosure.confirm({
          propertyId,
          market: market as Market,
          conditions: [condition],
          alteredPictures,
          locale,
        });
      } finally {
        // Pictures that changed meanwhile are shown too.
        await queries.invalidateQueries({ queryKey: DISCLOSURE });
      }
    });
  return (
    <>
      <p role="status">
        <StatusBadge tone={publishable ? 'success' : 'danger'}>
          {t(publishable ? 'studio.disclosure.publishable' : 'studio.disclosure.notPublishable')}
        </StatusBadge>
      </p>
      {isInForce || effectiveFrom === null ? null : (
        <p>{t('disclosure.notInForce', { date: date(effectiveFrom) })}</p>
      )}
      {stale ? <p className="studio-off">{t('disclosure.stale')}</p> : null}
      {caveat === null ? null : <p>{caveat}</p>}
      {stagedCount > 0 ? null : <p>{t('studio.disclosure.noStaged')}</p>}
      <h3>{t('studio.disclosure.requirements')}</h3>
      <ul className="market-requirements">
        {requirements.map((asked) => (
          <Asked
            key={`${asked.requirement} ${asked.source.page}`}
            asked={asked}
            isBusy={isBusy}
            confirm={() => void confirm(asked.requirement as Condition)}
          />
        ))}
      </ul>
      <p>{t('studio.disclosure.downloadText')}</p>
      <ExportDownload key={market} propertyId={propertyId} agentId={agentId} market={market} kind="secondary">
        {t('studio.disclosure.download')}
      </ExportDownload>
      <p className="muted">{check.notLegalAdvice}</p>
    </>
  );
}

interface AskedProps {
  readonly asked: DisclosureCheck['requirements'][number];
  readonly isBusy: boolean;
  readonly confirm: () => void;
}

/** A requirement with its state, its source, and a button for what only the agent can know. */
function Asked({ asked, isBusy, confirm }: AskedProps) {
  const { t, date } = useText();
  const { state, text, howToMeet, confirmedAt, source, lastRead } = asked;
  const { since } = source;
  return (
    <li>
      <StatusBadge tone={TONES[state] ?? 'neutral'}>{t(`studio.disclosure.state.${state}`)}</StatusBadge>
      <div className="stack">
        <p className="list-row-title">{text}</p>
        {state === 'LATER' && since !== null ? (
          <p>{t('disclosure.later', { date: date(since) })}</p>
        ) : howToMeet === null ? null : (
          <p>{howToMeet}</p>
        )}
        {confirmedAt === null ? null : <p>{t('studio.disclosure.confirmed', { date: date(confirmedAt) })}</p>}
        {state === 'OUTSIDE' ? (
          <p>
            <Button
              isDisabled={isBusy}
              aria-label={t('studio.disclosure.confirmAbout', { requirement: text })}
              onPress={confirm}
            >
              {t('studio.disclosure.confirm')}
            </Button>
          </p>
        ) : null}
        <details className="muted list-row-detail">
          <summary>
            {t('studio.disclosure.source', {
              source: source.host === null ? source.page : `${source.page}, ${source.host}`,
              kind: t(`disclosure.source.${source.kind}`),
              date: date(lastRead),
            })}
          </summary>
          <p lang="en">{source.rule}</p>
        </details>
      </div>
    </li>
  );
}

const TONES: Readonly<Record<string, StatusTone>> = {
  MET: 'success',
  CONFIRMED: 'success',
  UNMET: 'danger',
  OUTSIDE: 'warning',
};
