import { type RefObject, useEffect, useState } from 'react';

/**
 * The one open part (`details`) of a bar: a press or the focus elsewhere and Escape close it.
 * @returns `close` gives the focus back to the name of the part that was open
 */
export function useOpenPart(bar: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const openPart = (): HTMLDetailsElement | null => bar.current?.querySelector('details[open]') ?? null;
  const close = (): void => {
    const part = openPart();
    if (part === null) return;
    part.open = false;
    part.querySelector('summary')?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const onElsewhere = ({ target }: Event): void => {
      const part = openPart();
      if (part !== null && target instanceof Node && !part.contains(target)) part.open = false;
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') close();
    };
    document.addEventListener('pointerdown', onElsewhere);
    document.addEventListener('focusin', onElsewhere);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onElsewhere);
      document.removeEventListener('focusin', onElsewhere);
      document.removeEventListener('keydown', onKey);
    };
  });
  return { isOpen, onToggle: () => setOpen(openPart() !== null), close };
}
