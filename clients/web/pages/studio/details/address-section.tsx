import { Section } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import { AddressField } from './address-field.tsx';
import { CityField } from './city-field.tsx';
import { SameHome } from './same-home.tsx';
import { type SavedFieldProps, TextField, useFieldOf } from './saved-field.tsx';

/** The address in its parts. */
export function AddressSection(given: SavedFieldProps) {
  const { t } = useText();
  const { propertyId, address, unitNumber, city, stateOrProvince, country } = given.listing;
  return (
    <Section title={t('studio.details.address')}>
      <div className="studio-columns">
        <Street {...given} />
        <TextField {...given} name="unitNumber" longest={30} />
        <City {...given} />
        <TextField {...given} name="stateOrProvince" longest={60} />
        <TextField {...given} name="postalCode" longest={20} />
        <TextField {...given} name="country" isRequired longest={2} />
      </div>
      <SameHome home={{ propertyId, address, unitNumber, city, stateOrProvince, country }} />
    </Section>
  );
}

/** A suggestion fills the other parts, and sets the pin. */
function Street(given: SavedFieldProps) {
  const { problem, input, type } = useFieldOf(given, 'address', (text) => text);
  return (
    <AddressField
      input={input}
      country={given.listing.country}
      problem={problem}
      onChoose={({ latitude, longitude, ...parts }) => {
        type(parts.address);
        const pin = latitude === null || longitude === null ? {} : { latitude, longitude };
        void given.save({ ...parts, ...pin });
      }}
    />
  );
}

function City({ listing, save }: SavedFieldProps) {
  const { city, latitude } = listing;
  return (
    <CityField
      value={city}
      onText={(next) => next === city || (next !== '' && save({ city: next }))}
      onPlace={(place) => {
        if (place === null) return;
        const isPlaced = latitude !== null || place.latitude === null || place.longitude === null;
        void save({
          city: place.city,
          ...(place.state === null ? {} : { stateOrProvince: place.state }),
          ...(isPlaced ? {} : { latitude: place.latitude, longitude: place.longitude }),
        });
      }}
    />
  );
}
