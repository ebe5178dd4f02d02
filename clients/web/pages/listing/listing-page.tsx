import { getRouteApi } from '@tanstack/react-router';
import { neighborhood, priceHistory, propertyDetail, similar } from '../../api/queries.ts';
import { useLoaded } from '../../api/use-answer.ts';
import { pictureChoiceIn, picturesOf } from '../../pictures/picture-choice.ts';
import { later } from '../../primitives/later.tsx';
import { Section } from '../../primitives/parts.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { Gallery } from './gallery/gallery.tsx';
import { SIMILAR_LIMIT } from './listing-data.ts';
import { ListingHead } from './listing-head.tsx';
import { TourButton } from './tour-button.tsx';
import './listing.css';
import './flyer.css';

const Description = later(() => import('./description.tsx'));
const OpenHouses = later(() => import('./open-houses.tsx'));
const StagedRooms = later(() => import('./gallery/staged-rooms.tsx'));
const AskLink = later(() => import('./ask-link.tsx'));
const AgentCard = later(() => import('./agent-card.tsx'));
const Attribution = later(() => import('./attribution.tsx'));
const Facts = later(() => import('./facts.tsx'));
const Features = later(() => import('./features.tsx'));
const Surroundings = later(() => import('./surroundings.tsx'));
const Commute = later(() => import('./commute/commute.tsx'));
const PaymentSection = later(() => import('./payment/payment-section.tsx'));
const PriceHistory = later(() => import('./price-history/price-history.tsx'));
const Neighborhood = later(() => import('./neighborhood.tsx'));
const PageCode = later(() => import('./page-code.tsx'));
const SimilarHomes = later(() => import('./similar-homes.tsx'));
const ViewCount = later(() => import('./view-count.tsx'));
const route = getRouteApi('/properties/$propertyId');

/** The page of one home: pictures, price, facts, payment, history, neighborhood, agent, similar homes. Printed, a flyer. */
export function Component() {
  const { api } = useSite();
  const { t, money } = useText();
  const { propertyId } = route.useParams();
  const pictures = pictureChoiceIn(route.useSearch());
  const chosen = picturesOf(pictures);
  const home = useLoaded(propertyDetail(api, { propertyId, ...chosen }));
  const history = useLoaded(priceHistory(api, { propertyId }));
  const area = useLoaded(neighborhood(api, { propertyId }));
  const others = useLoaded(similar(api, { propertyId, limit: SIMILAR_LIMIT, ...chosen }));
  const isForSale = area.market === 'SALE' && home.closePrice === null;
  const price = money(home.listPrice, home.currency);
  // No agent here answers for some homes of feeds: their firm is named instead.
  const asks =
    home.agent === null ? null : (
      <>
        <TourButton home={home} />
        <AskLink propertyId={propertyId} />
      </>
    );
  return (
    <article className="page listing">
      <Gallery home={home} chosen={pictures} />
      <div className="listing-columns">
        <div className="listing-main">
          <ListingHead home={home} isForSale={isForSale} />
          <OpenHouses home={home} />
          {home.description === null ? null : <Description text={home.description} />}
          <StagedRooms home={home} chosen={pictures} />
          <Facts home={home} />
          <Features home={home} />
          <Attribution home={home} />
          <div className="listing-pair">
            <div className="listing-around">
              <Surroundings home={home} pictures={pictures} />
              <Commute home={home} />
            </div>
            {isForSale ? <PaymentSection home={home} /> : null}
          </div>
          <Section title={t('listing.priceHistory')}>
            <PriceHistory
              events={history.items}
              currency={home.currency}
              until={home.offMarketAt ?? area.figures.activeInventory.asOf}
            />
          </Section>
          <Neighborhood stats={area} />
        </div>
        <aside className="listing-side">
          <div className="panel">
            <p className="listing-price">{price}</p>
            {asks}
          </div>
          {home.agent === null ? null : <AgentCard agent={home.agent} />}
          <PageCode propertyId={propertyId} />
        </aside>
      </div>
      <SimilarHomes cards={others.items} pictures={pictures} />
      {asks === null ? null : (
        <div className="listing-bar">
          <p className="listing-price">{price}</p>
          <div className="listing-asks">{asks}</div>
        </div>
      )}
      <ViewCount key={propertyId} propertyId={propertyId} />
    </article>
  );
}
