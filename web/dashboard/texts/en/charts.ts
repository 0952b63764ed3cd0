export const en = {
  showAsTable: 'Show as table',
  none: 'none',
  valuesOf: (title: string) => `Values of the chart “${title}”`,
};
