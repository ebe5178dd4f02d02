import { addressLine, streetLine } from '../../../i18n/address-line.ts';
import { pathIn } from '../../../i18n/languages.ts';
import type { Outputs } from '../../typescript/procedures.ts';
import type { Site } from '../site/site.ts';
import { firstOf } from './first-picture.ts';
import type { PageHead } from './page-head.ts';

type Detail = Outputs['properties']['getDetail'];

/** Search engines and previews show no more. */
const LONGEST_DESCRIPTION = 200;
/** What previews of links take well. */
const PREVIEW_WIDTH = 1280;
const AVAILABILITY: Readonly<Record<string, string>> = {
  Active: 'https://schema.org/InStock',
  'Coming Soon': 'https://schema.org/PreOrder',
  Closed: 'https://schema.org/SoldOut',
};

/** The head of a listing's page: its price and place as structured data, and a photo, never a staged or altered picture. */
export function listingHead(
  { language, settings }: Pick<Site, 'language' | 'settings'>,
  home: Detail,
): PageHead {
  const { dateTime, locale, money, t } = language.text;
  const path = `/properties/${home.propertyId}`;
  const photos = home.images
    .filter(({ disclosureLabel }) => disclosureLabel === null)
    .map(({ imageId }) => photoUrl(settings.origin, imageId));
  const price = money(home.listPrice, home.currency);
  const place = addressLine(home);
  const description = shortened(
    home.description ?? `${place}. ${price}. ${t(`listing.status.${home.standardStatus}`)}.`,
  );
  return {
    title: `${place}, ${price}`,
    description,
    path,
    image: photos[0],
    firstPicture: firstOf(home.images),
    data: {
      '@context': 'https://schema.org',
      '@type': 'RealEstateListing',
      name: place,
      description,
      url: settings.origin + pathIn(settings.site, path, locale),
      ...(photos.length === 0 ? {} : { image: photos }),
      ...(home.listedAt === null ? {} : { datePosted: home.listedAt }),
      offers: {
        '@type': 'Offer',
        price: home.listPrice,
        priceCurrency: home.currency,
        availability: AVAILABILITY[home.standardStatus] ?? 'https://schema.org/LimitedAvailability',
      },
      mainEntity: {
        '@type': 'Residence',
        ...(home.openHouses.length === 0
          ? {}
          : {
              event: home.openHouses.map(({ startsAt, endsAt }) => ({
                '@type': 'Event',
                name: t('card.openHouse', { when: dateTime(startsAt, home.showing.propertyTimeZoneName) }),
                startDate: startsAt,
                endDate: endsAt,
                eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
                location: { '@type': 'Place', name: place, address: place },
              })),
            }),
        address: {
          '@type': 'PostalAddress',
          ...(home.address === '' ? {} : { streetAddress: streetLine(home) }),
          addressLocality: home.city,
          ...(home.stateOrProvince === null ? {} : { addressRegion: home.stateOrProvince }),
          ...(home.postalCode === null ? {} : { postalCode: home.postalCode }),
          addressCountry: home.facts.country,
        },
        ...(home.latitude === null || home.longitude === null
          ? {}
          : { geo: { '@type': 'GeoCoordinates', latitude: home.latitude, longitude: home.longitude } }),
      },
    },
  };
}

/** The head of the page of all pictures of a home; its preview is a photo, as that of the home's page. */
export function photosHead(
  { language, settings }: Pick<Site, 'language' | 'settings'>,
  home: Detail,
): PageHead {
  const { t } = language.text;
  const place = addressLine(home);
  const photo = home.images.find(({ disclosureLabel }) => disclosureLabel === null);
  return {
    title: t('photos.title', { count: home.images.length, place }),
    description: t('photos.description', { place }),
    path: `/properties/${home.propertyId}/photos`,
    image: photo === undefined ? undefined : photoUrl(settings.origin, photo.imageId),
  };
}

const photoUrl = (origin: string, imageId: string): string =>
  `${origin}/api/images/${imageId}?w=${PREVIEW_WIDTH}`;

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= LONGEST_DESCRIPTION ? line : `${line.slice(0, LONGEST_DESCRIPTION - 1)}…`;
}
