export function packageSdk(built: string, target: string): Promise<void>;
