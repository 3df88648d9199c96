//go:build tools
package strangers
import _ "github.com/dexidp/dex/cmd/dex"
