import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import type { AddressQuery } from '../../../addresses/address-query.ts';

interface LargePhoto {
  /** The picture that is shown as large as the window. */
  readonly shown: string | undefined;
  open(imageId: string): void;
  close(): void;
}

/** The large view stands in the address: the way back closes it, and a reload shows it again. */
export function useLargePhoto(): LargePhoto {
  const query: AddressQuery = useSearch({ from: '/studio/$propertyId' });
  const navigate = useNavigate();
  const { history } = useRouter();
  const isOpenedHere = useRef(false);
  const { large, ...others } = query;
  return {
    shown: typeof large === 'string' ? large : undefined,
    open(imageId) {
      isOpenedHere.current = true;
      void navigate({ to: '.', search: { ...others, large: imageId }, resetScroll: false });
    },
    close() {
      if (isOpenedHere.current) history.back();
      else void navigate({ to: '.', search: others, replace: true, resetScroll: false });
      isOpenedHere.current = false;
    },
  };
}
