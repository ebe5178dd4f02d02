import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Inputs } from '../../../../typescript/procedures.ts';
import { problemText } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { Problem, Section } from '../../../primitives/parts.tsx';
import { markPage } from '../../../site/still-here.ts';
import { useSite, useText } from '../../../site/use-site.ts';
import type { OwnListing } from '../studio-queries.ts';

type NewListing = Inputs['properties']['create'];
/** What differs between the homes of one building, or must be decided again. */
type Left = 'unitNumber' | 'standardStatus' | 'assignedAgentIds';
/** What a duplicate has of its listing; the compiler asks for every field. */
const COPIED: Readonly<Record<Exclude<keyof NewListing, Left>, true>> = {
  listPrice: true,
  currency: true,
  address: true,
  city: true,
  countyOrParish: true,
  subdivisionName: true,
  stateOrProvince: true,
  postalCode: true,
  country: true,
  latitude: true,
  longitude: true,
  propertyType: true,
  propertySubType: true,
  bedroomsTotal: true,
  bathroomsTotal: true,
  livingArea: true,
  livingAreaUnits: true,
  lotSizeArea: true,
  lotSizeUnits: true,
  yearBuilt: true,
  yearBuiltEffective: true,
  stories: true,
  roomsTotal: true,
  garageSpaces: true,
  parkingTotal: true,
  publicRemarks: true,
  features: true,
  associationFee: true,
  associationFeeFrequency: true,
  taxAnnualAmount: true,
  taxYear: true,
  propertyTimeZoneName: true,
  showingAdvanceNotice: true,
  showingStartTime: true,
  showingEndTime: true,
  showingDays: true,
  autoConfirmTours: true,
};

/** A new draft with the details of this listing, for the next home of the same building or kind. */
export default function DuplicateListing({ listing }: { readonly listing: OwnListing }) {
  const { api } = useSite();
  const words = useText();
  const { t } = words;
  const navigate = useNavigate();
  const { error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      const isStillHere = markPage();
      const copied = Object.keys(COPIED).map((name) => [name, listing[name as keyof typeof COPIED]]);
      const draft = { ...Object.fromEntries(copied), standardStatus: 'Incomplete' } as NewListing;
      const { propertyId } = await api.properties.create(draft);
      if (isStillHere()) await navigate({ to: '/studio/$propertyId/details', params: { propertyId } });
    },
  });
  return (
    <Section title={t('studio.publish.another')}>
      <p className="muted">{t('studio.publish.anotherText')}</p>
      <Problem text={problemText(words, error)} />
      <div>
        <Button isDisabled={isPending} onPress={() => mutate()}>
          {t('studio.publish.duplicate')}
        </Button>
      </div>
    </Section>
  );
}
