import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { pathIn } from '../../../../i18n/languages.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { PlaceField } from './place-field.tsx';
import { type SearchState, searchOf, writeState } from './search-state.ts';

const NOTHING: SearchState = {};

/** A way into the search from any page. @param id of its input; the only one of the page */
export function PlaceSearch({ id }: { readonly id: string }) {
  const { settings } = useSite();
  const { locale } = useText();
  const navigate = useNavigate();
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void navigate({ to: '/search', search: writeState(searchOf(event.currentTarget, NOTHING)) });
  };
  return (
    <search className="place-search">
      <form action={pathIn(settings.site, '/search', locale)} method="get" onSubmit={onSubmit}>
        <PlaceField id={id} state={NOTHING} shown="" />
      </form>
    </search>
  );
}
