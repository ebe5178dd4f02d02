import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ButtonLink } from '../../../primitives/button.tsx';
import { LoadFailed } from '../../../primitives/list-parts.tsx';
import { Section, Skeleton } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import AgentCard from '../../listing/agent-card.tsx';
import { Description } from '../../listing/description.tsx';
import Facts from '../../listing/facts.tsx';
import Features from '../../listing/features.tsx';
import { Gallery } from '../../listing/gallery/gallery.tsx';
import StagedRooms from '../../listing/gallery/staged-rooms.tsx';
import { ListingHead } from '../../listing/listing-head.tsx';
import Surroundings from '../../listing/surroundings.tsx';
import { AgentsOnly } from '../agents-only.tsx';
import { draftDetail } from '../studio-queries.ts';
import '../../listing/listing.css';
import './preview.css';

const route = getRouteApi('/studio/$propertyId/preview');

/** A draft as buyers will see it. What is computed from public listings alone is left out. */
export function Component() {
  const { propertyId } = route.useParams();
  return (
    <AgentsOnly path={`/studio/${propertyId}/preview`}>
      {() => <Preview key={propertyId} propertyId={propertyId} />}
    </AgentsOnly>
  );
}

function Preview({ propertyId }: { readonly propertyId: string }) {
  const { api } = useSite();
  const { t } = useText();
  const { data: home, isError, refetch } = useQuery(draftDetail(api, propertyId));
  if (home === undefined)
    return (
      <div className="page">
        <h1>{t('studio.preview.title')}</h1>
        {isError ? <LoadFailed onRetry={() => void refetch()} /> : <Skeleton height="20rem" />}
      </div>
    );
  return (
    <article className="page listing preview">
      <div className="panel row preview-note">
        <p>{t('studio.preview.note')}</p>
        <ButtonLink to="/studio/$propertyId/publish" params={{ propertyId }}>
          {t('studio.preview.back')}
        </ButtonLink>
      </div>
      <Gallery home={home} chosen={undefined} />
      <div className="listing-columns">
        <div className="listing-main">
          <ListingHead home={home} isForSale={false} />
          {home.description === null ? null : <Description text={home.description} />}
          <StagedRooms home={home} chosen={undefined} />
          <Section title={t('listing.facts')}>
            <Facts home={home} />
          </Section>
          <Features home={home} />
          <Surroundings home={home} pictures={undefined} />
        </div>
        <aside className="listing-side">
          <AgentCard agent={home.agent} />
        </aside>
      </div>
    </article>
  );
}
