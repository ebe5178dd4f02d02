import { Section } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import { CityField } from './city-field.tsx';
import { type SavedFieldProps, TextField } from './saved-field.tsx';

/** The address in its parts. */
export function AddressSection(given: SavedFieldProps) {
  const { t } = useText();
  return (
    <Section title={t('studio.details.address')}>
      <div className="studio-columns">
        <TextField {...given} name="address" isRequired longest={300} />
        <TextField {...given} name="unitNumber" longest={30} />
        <City {...given} />
        <TextField {...given} name="stateOrProvince" longest={60} />
        <TextField {...given} name="postalCode" longest={20} />
        <TextField {...given} name="country" isRequired longest={2} />
      </div>
    </Section>
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
