// Additions to htmx, loaded before it: pages do not refresh while hidden, show a message when the server does not
// answer, scroll a wide chart to the present state, and show a step that was chosen early. Without this file
// everything works except the refreshing.
(() => {
  const isPoll = (element) => element?.getAttribute?.('hx-trigger')?.startsWith('every ') ?? false;

  document.addEventListener('htmx:before:request', (event) => {
    if (document.hidden && isPoll(event.target)) event.preventDefault();
  });

  const contact = (isLost) => {
    const line = document.getElementById('contact');
    if (line === null || line.hidden === !isLost) return;
    line.hidden = !isLost;
    line.textContent = isLost
      ? 'No contact: what stands here may be old. Sign in again if reloading does not help.'
      : '';
  };
  document.addEventListener('htmx:after:request', (event) => {
    const status = event.detail?.ctx?.response?.status;
    if (isPoll(event.target) && status !== undefined) contact(status >= 400);
  });
  document.addEventListener('htmx:error', (event) => {
    if (isPoll(event.target)) contact(true);
  });

  const showPresent = () => {
    for (const box of document.querySelectorAll('.chart')) {
      const state = box.querySelector('.state.present rect');
      if (state === null || box.scrollWidth <= box.clientWidth) continue;
      const { left, width } = state.getBoundingClientRect();
      box.scrollLeft += left + width / 2 - (box.getBoundingClientRect().left + box.clientWidth / 2);
    }
  };
  document.addEventListener('DOMContentLoaded', showPresent);

  // The slider may have been moved before htmx listened to it.
  const askMovedStep = () => {
    const slider = document.getElementById('step');
    if (slider !== null && slider.value !== slider.defaultValue) slider.dispatchEvent(new Event('input'));
  };
  document.addEventListener('htmx:after:process', askMovedStep, { once: true });
})();
