import { useEffect, useId, useRef, useState } from 'react';
import { useText } from '../site/use-site.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { CompareButton, HideButton } from './mark-buttons.tsx';
import './card-menu.css';

interface CardMenuProps {
  readonly propertyId: string;
  readonly address: string;
}

/** What else can be done with a home of a list: one stop for the keyboard, which opens the others. */
export function CardMenu(home: CardMenuProps) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = () => setOpen(false);
  useEffect(() => {
    if (!isOpen) return;
    const look = ({ target }: Event) => {
      if (menu.current?.contains(target as Node) === false) setOpen(false);
    };
    document.addEventListener('pointerdown', look);
    return () => document.removeEventListener('pointerdown', look);
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and leaving close what the button has opened
    <div
      ref={menu}
      className="card-menu"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) close();
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape' || !isOpen) return;
        close();
        currentTarget.querySelector('button')?.focus();
      }}
    >
      <Button
        kind="icon"
        aria-label={t('card.more', { address: home.address })}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onPress={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </Button>
      {isOpen && (
        <div id={id} className="card-menu-panel">
          <CompareButton {...home} />
          <HideButton {...home} />
        </div>
      )}
    </div>
  );
}
