// SPDX-License-Identifier: MIT
// Debian's three.js comes without types.
declare module "three";
