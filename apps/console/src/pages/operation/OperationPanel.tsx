export const OperationPanel = () => null
