import { useState } from 'react';
import type { Outputs } from '../../typescript/procedures.ts';
import { Button, type ButtonKind, ButtonLink } from '../primitives/button.tsx';
import { CheckboxRow, Choices, Pill } from '../primitives/choices.tsx';
import { HeartButton } from '../primitives/heart-button.tsx';
import { ICONS, Icon } from '../primitives/icon.tsx';
import { OfflineBanner, Toasts } from '../primitives/notices.tsx';
import { Avatar, EmptyState, Field, ListRow, Section, Skeleton, StatusBadge } from '../primitives/parts.tsx';
import { Picture } from '../primitives/picture.tsx';
import { type Card, PropertyCard } from '../primitives/property-card.tsx';
import { Sheet } from '../primitives/sheet.tsx';
import { SignInPrompt } from '../primitives/sign-in-prompt.tsx';
import { SlotPicker } from '../primitives/tours/slot-picker.tsx';
import type { Slot } from '../primitives/tours/tour-times.ts';
import { useSite } from '../site/use-site.ts';
import { COLORS, cssVariable } from '../tokens/tokens.ts';
import './showcase.css';

const HOME = '11111111-1111-4111-8111-111111111111';
const OTHER_HOME = '22222222-2222-4222-8222-222222222222';
const FEED_HOME = '33333333-3333-4333-8333-333333333333';

/** What the page's API answers with. */
export const SAVED: Outputs['favorites']['listIds'] = { propertyIds: [HOME] };
export const VISITOR = { name: 'Vera Visitor', image: null } as Outputs['users']['getMe'];

const KINDS: readonly ButtonKind[] = ['primary', 'secondary', 'quiet', 'danger'];
const TONES = ['neutral', 'primary', 'success', 'warning', 'danger'] as const;

const CARD = {
  propertyId: HOME,
  address: '12 Lakeview Avenue',
  city: 'Seattle',
  listPrice: 895_000,
  currency: 'USD',
  bedroomsTotal: 3,
  bathroomsTotal: 2.5,
  livingArea: 2_150,
  livingAreaUnits: 'Square Feet',
  standardStatus: 'Active',
  coverImageId: HOME,
  images: [
    { imageId: HOME, disclosureLabel: null },
    { imageId: OTHER_HOME, disclosureLabel: 'AI · Virtually staged' },
  ],
  hiddenStagedCount: 0,
  isNew: true,
  daysOnMarket: 0,
  priceChange: { amount: 20_000, at: '2026-11-20T12:00:00Z' },
  openHouse: {
    startsAt: '2026-12-05T21:00:00Z',
    endsAt: '2026-12-05T23:00:00Z',
    timeZone: 'America/Los_Angeles',
  },
  closePrice: null,
  closeDate: null,
  listedBy: null,
} as unknown as Card;

const HOURS = {
  propertyTimeZoneName: 'America/Los_Angeles',
  showingAdvanceNotice: 2,
  showingStartTime: '09:00',
  showingEndTime: '18:00',
  showingDays: [],
};

/** Every primitive in every state, in both themes and languages. For people who build pages; not part of the site. */
export function Showcase() {
  const { language, notices } = useSite();
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState('first');
  const [slots, setSlots] = useState<readonly Slot[]>([]);
  const theme = (name: string) => () => {
    document.documentElement.dataset.theme = name;
  };
  return (
    <main className="page showcase">
      <h1>Primitives</h1>
      <div className="row">
        <Button onPress={theme('light')}>Light</Button>
        <Button onPress={theme('dark')}>Dark</Button>
        <Button onPress={() => void language.switchTo('en')}>English</Button>
        <Button onPress={() => void language.switchTo('es')}>Español</Button>
      </div>
      <Section title="Colors">
        <ul className="showcase-colors">
          {Object.keys(COLORS).map((name) => (
            <li key={name}>
              <span className="showcase-color" style={{ background: `var(${cssVariable(name)})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Buttons">
        {[false, true].map((isDisabled) => (
          <div key={String(isDisabled)} className="row">
            {KINDS.map((kind) => (
              <Button key={kind} kind={kind} isDisabled={isDisabled}>
                {kind}
              </Button>
            ))}
            <Button kind="icon" aria-label="icon" isDisabled={isDisabled}>
              <Icon name="share" />
            </Button>
            <Button kind="pill" isDisabled={isDisabled}>
              $895K
            </Button>
            <Button kind="pill" isDisabled={isDisabled} aria-pressed>
              $895K
            </Button>
          </div>
        ))}
        <div className="row">
          {KINDS.map((kind) => (
            <ButtonLink key={kind} kind={kind} to="/search">
              {kind} link
            </ButtonLink>
          ))}
        </div>
      </Section>
      <Section title="Icons">
        <ul className="showcase-colors">
          {ICONS.map((name) => (
            <li key={name}>
              <Icon name={name} /> {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Hearts">
        <div className="row">
          <HeartButton propertyId={HOME} address="a saved home" />
          <HeartButton propertyId={OTHER_HOME} address="another home" />
        </div>
      </Section>
      <Section title="Badges">
        <div className="row">
          {TONES.map((tone) => (
            <StatusBadge key={tone} tone={tone}>
              {tone}
            </StatusBadge>
          ))}
        </div>
      </Section>
      <Section title="Cards">
        <div className="grid-cards">
          <PropertyCard card={CARD} />
          <PropertyCard
            card={{
              ...CARD,
              propertyId: OTHER_HOME,
              images: [],
              coverImageId: null,
              isNew: false,
              priceChange: null,
              openHouse: null,
              standardStatus: 'Pending',
            }}
          />
          {/* Of a feed, whose address may not be shown. */}
          <PropertyCard
            card={{
              ...CARD,
              propertyId: FEED_HOME,
              address: '',
              images: [],
              coverImageId: null,
              isNew: false,
              priceChange: null,
              openHouse: null,
              listedBy: 'Harbor Realty',
            }}
          />
        </div>
      </Section>
      <Section title="Pictures">
        <div className="grid-cards">
          <Picture imageId={HOME} alt="Cut to its space" ratio={4 / 3} sizes="20rem" />
          <Picture imageId={HOME} alt="Whole" ratio={1} sizes="20rem" isWhole />
        </div>
      </Section>
      <Section title="Fields">
        <div className="stack">
          <Field label="Plain">
            <input className="input" defaultValue="A text" />
          </Field>
          <Field label="With a problem" problem="This is not an e-mail address.">
            <input className="input" aria-invalid />
          </Field>
          <Field label="Disabled">
            <input className="input" disabled />
          </Field>
          <Field label="Select">
            <select className="input">
              <option>One</option>
            </select>
          </Field>
          <Field label="Text">
            <textarea className="input" />
          </Field>
        </div>
      </Section>
      <Section title="Choices">
        <Choices
          legend="One of a few"
          name="one"
          value={choice}
          options={['first', 'second'].map((value) => ({ value, label: value }))}
          onChange={setChoice}
        />
        <div className="row">
          <Pill type="checkbox" defaultChecked>
            Chosen
          </Pill>
          <Pill type="checkbox">Not chosen</Pill>
          <Pill type="checkbox" disabled>
            Disabled
          </Pill>
        </div>
        <CheckboxRow
          label="A line that is on or off"
          detail="With what that means"
          isChosen={choice === 'first'}
          onChange={(isChosen) => setChoice(isChosen ? 'first' : 'second')}
        />
      </Section>
      <Section title="People and rows">
        <ListRow title="Ada Lovelace" detail="Analytical Homes">
          <Avatar name="Ada Lovelace" image={null} />
        </ListRow>
        <ListRow title="With a picture">
          <Avatar name="Ada Lovelace" image={`/api/images/${HOME}?w=384`} large />
        </ListRow>
      </Section>
      <Section title="Times">
        <SlotPicker hours={HOURS} chosen={slots} onChange={setSlots} />
        <SlotPicker
          hours={{ ...HOURS, showingAdvanceNotice: 9_000 }}
          chosen={[]}
          onChange={() => undefined}
        />
      </Section>
      <Section title="Nothing there">
        <EmptyState title="Nothing yet" action={<Button kind="primary">Do something</Button>}>
          <p>What would be here, and how it comes.</p>
        </EmptyState>
        <SignInPrompt title="Your homes" text="Sign in to see them." path="/" />
        <Skeleton height="4rem" />
      </Section>
      <Section title="Messages">
        <div className="row">
          <Button onPress={() => notices.say('menu.saved')}>Say something</Button>
          <Button onPress={() => notices.setOffline(!notices.isOffline())}>Go offline, or back</Button>
        </div>
        <OfflineBanner />
        <Toasts />
      </Section>
      <Section title="Sheet">
        <Button onPress={() => setOpen(true)}>Open the sheet</Button>
        {isOpen ? (
          <Sheet title="A sheet" onClose={() => setOpen(false)}>
            <p>It keeps the focus, and Escape closes it.</p>
          </Sheet>
        ) : null}
      </Section>
    </main>
  );
}
