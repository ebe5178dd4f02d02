import { getRouteApi } from '@tanstack/react-router';
import { streetLine, wholeAddress } from '../../../../i18n/address-line.ts';
import { telephoneAddress } from '../../../../i18n/countries.ts';
import { neighborhood, priceHistory, propertyDetail, similar } from '../../api/queries.ts';
import { useLoaded } from '../../api/use-answer.ts';
import { pictureChoiceIn, picturesOf } from '../../pictures/picture-choice.ts';
import { HeartButton } from '../../primitives/heart-button.tsx';
import { MarkButtons } from '../../primitives/mark-buttons.tsx';
import { Avatar, Section, StatusBadge } from '../../primitives/parts.tsx';
import { KeyFigures, PropertyCard } from '../../primitives/property-card.tsx';
import { listingTone } from '../../primitives/status-tones.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { ChoosePictures } from './choose-pictures.tsx';
import { Facts } from './facts.tsx';
import { Gallery, StagedRooms } from './gallery.tsx';
import { type Detail, SIMILAR_LIMIT } from './listing-data.ts';
import { Neighborhood } from './neighborhood.tsx';
import { PriceHistory } from './price-history.tsx';
import { ShareButton } from './share-button.tsx';
import { Surroundings } from './surroundings.tsx';
import { TourButton } from './tour-button.tsx';
import './listing.css';

const route = getRouteApi('/properties/$propertyId');

/** The page of one home: pictures, price, facts, history, neighborhood, agent, similar homes. */
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
  const price = money(home.listPrice, home.currency);
  return (
    <article className="page listing">
      <Gallery home={home} />
      <ChoosePictures home={home} />
      <div className="listing-columns">
        <div className="listing-main">
          <header className="listing-head">
            <div className="row">
              <StatusBadge tone={listingTone(home.standardStatus)}>
                {t(`listing.status.${home.standardStatus}`)}
              </StatusBadge>
              {home.daysOnMarket === null ? null : (
                <span className="muted">{t('listing.daysOnMarket', { count: home.daysOnMarket })}</span>
              )}
              <span className="listing-actions row">
                <HeartButton propertyId={home.propertyId} address={streetLine(home)} />
                <MarkButtons propertyId={home.propertyId} address={streetLine(home)} />
                <ShareButton title={wholeAddress({ ...home, country: home.facts.country })} />
              </span>
            </div>
            <p className="listing-price">{price}</p>
            <h1>{wholeAddress({ ...home, country: home.facts.country })}</h1>
            <p>
              <KeyFigures card={home} />
            </p>
          </header>
          {home.description === null ? null : (
            <Section title={t('listing.description')}>
              <p className="listing-description" dir="auto">
                {home.description}
              </p>
            </Section>
          )}
          <StagedRooms home={home} />
          <Section title={t('listing.facts')}>
            <Facts home={home} />
          </Section>
          <Features home={home} />
          <Surroundings home={home} pictures={pictures} />
          <Section title={t('listing.priceHistory')}>
            <PriceHistory events={history.items} currency={home.currency} until={home.offMarketAt ?? null} />
          </Section>
          <Section title={t('listing.neighborhood', { name: area.region.name })}>
            <Neighborhood stats={area} />
          </Section>
        </div>
        <aside className="listing-side">
          <div className="panel">
            <p className="listing-price">{price}</p>
            <TourButton home={home} />
          </div>
          <AgentCard agent={home.agent} />
        </aside>
      </div>
      {others.items.length === 0 ? null : (
        <Section title={t('listing.similar')}>
          <ul className="grid-cards">
            {others.items.map((card) => (
              <li key={card.propertyId}>
                <PropertyCard card={card} pictures={pictures} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <div className="listing-bar">
        <p className="listing-price">{price}</p>
        <TourButton home={home} />
      </div>
    </article>
  );
}

function Features({ home }: { readonly home: Detail }) {
  const { t } = useText();
  const groups = home.featureGroups.filter(({ keys }) => keys.length > 0);
  if (groups.length === 0) return null;
  return (
    <Section title={t('listing.features')}>
      <div className="listing-features">
        {groups.map(({ group, keys }) => (
          <div key={group}>
            <h3>{t(`featureGroup.${group}`)}</h3>
            <ul>
              {keys.map((key) => (
                <li key={key}>{t(`feature.${key}`)}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Section>
  );
}

function AgentCard({ agent }: { readonly agent: Detail['agent'] }) {
  const { country } = useSite().settings.site;
  const { t } = useText();
  return (
    <section className="panel" aria-label={t('listing.agent')}>
      <div className="row">
        <Avatar name={agent.fullName} image={agent.photoUrl} />
        <div>
          <strong dir="auto">{agent.fullName}</strong>
          {agent.officeName === null ? null : <p className="muted">{agent.officeName}</p>}
        </div>
      </div>
      {agent.licenseNumber === null ? null : (
        <p className="muted">{t('listing.license', { number: agent.licenseNumber })}</p>
      )}
      {agent.phone === null ? null : <a href={telephoneAddress(agent.phone, country)}>{agent.phone}</a>}
      {agent.email === null ? null : <a href={`mailto:${agent.email}`}>{agent.email}</a>}
    </section>
  );
}
