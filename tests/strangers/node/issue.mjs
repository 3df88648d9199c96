// Signs tokens as an issuer elsewhere does, with npm's jose. Arguments: `typ` or empty text, and the claims as JSON.
// Prints two lines: the public key set and the token.
import { exportJWK, generateKeyPair, SignJWT } from "jose";

const [type, claims] = process.argv.slice(2);
const { publicKey, privateKey } = await generateKeyPair("ES256");
const header = { alg: "ES256", kid: "n1", ...(type ? { typ: type } : {}) };
console.log(JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "n1", alg: "ES256" }] }));
console.log(await new SignJWT(JSON.parse(claims)).setProtectedHeader(header).sign(privateKey));
