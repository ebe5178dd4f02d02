import { CheckboxRow } from '../../../primitives/choices.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { useText } from '../../../site/use-site.ts';
import { ChoiceField, NumberField, type SavedFieldProps, TimeField } from './saved-field.tsx';

/** When homes can be visited, in the zone of the home. */
export default function ShowingSection({ listing, save }: SavedFieldProps) {
  const { t } = useText();
  const { autoConfirmTours, propertyTimeZoneName } = listing;
  const zones = [...new Set([propertyTimeZoneName, ...Intl.supportedValuesOf('timeZone')])];
  return (
    <Section title={t('studio.details.showing')}>
      <div className="studio-columns">
        <ChoiceField
          listing={listing}
          save={save}
          name="propertyTimeZoneName"
          isRequired
          options={zones.map((value) => ({ value, label: value }))}
        />
        <NumberField listing={listing} save={save} name="showingAdvanceNotice" isRequired most={720} />
        <TimeField listing={listing} save={save} name="showingStartTime" />
        <TimeField listing={listing} save={save} name="showingEndTime" />
      </div>
      <CheckboxRow
        label={t('studio.field.autoConfirmTours')}
        isChosen={autoConfirmTours}
        onChange={(isChosen) => void save({ autoConfirmTours: isChosen })}
      />
    </Section>
  );
}
