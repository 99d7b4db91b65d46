/** The operator of the service, with the way to reach them where there is one. */
export function Operator({ contact }: { contact: string | null }) {
  if (contact === null) return <>the operator of this service</>;
  const href = contact.includes('://') ? contact : `mailto:${contact}`;
  return (
    <>
      the operator of this service (<a href={href}>{contact}</a>)
    </>
  );
}
