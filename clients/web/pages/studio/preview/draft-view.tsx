import { ButtonLink } from '../../../primitives/button.tsx';
import { useText } from '../../../site/use-site.ts';
import AgentCard from '../../listing/agent-card.tsx';
import Description from '../../listing/description.tsx';
import Facts from '../../listing/facts.tsx';
import Features from '../../listing/features.tsx';
import { Gallery } from '../../listing/gallery/gallery.tsx';
import StagedRooms from '../../listing/gallery/staged-rooms.tsx';
import type { Detail } from '../../listing/listing-data.ts';
import { ListingHead } from '../../listing/listing-head.tsx';
import Surroundings from '../../listing/surroundings.tsx';
import '../../listing/listing.css';
import './preview.css';

/** A draft as buyers will see it. What is computed from public listings alone is left out. */
export default function DraftView({ home }: { readonly home: Detail }) {
  const { t } = useText();
  const { propertyId } = home;
  return (
    <article className="page listing preview">
      <div className="panel preview-note">
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
          <Facts home={home} />
          <Features home={home} />
          <Surroundings home={home} pictures={undefined} />
        </div>
        <aside className="listing-side">
          {home.agent === null ? null : <AgentCard agent={home.agent} />}
        </aside>
      </div>
    </article>
  );
}
