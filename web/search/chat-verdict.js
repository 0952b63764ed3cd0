/** Asks once whether an answer helped. @param {HTMLElement} place @param {(helpful: boolean) => void} judged */
export function askVerdict(place, judged) {
  const buttons = [true, false].map((helpful) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = helpful ? 'Yes' : 'No';
    button.addEventListener('click', () => {
      judged(helpful);
      place.replaceChildren('Thank you.');
    });
    return button;
  });
  place.replaceChildren('Did this help?', ...buttons);
  place.hidden = false;
}
