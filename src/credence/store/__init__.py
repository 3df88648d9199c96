"""What the service keeps. `contract` promises, `memory` and `sqlite` keep the promise, `mirror` remembers what is hot."""
