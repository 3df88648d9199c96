-- One GET, over and over. No arguments.
dofile("outcome.lua")
