// SPDX-License-Identifier: MIT
// The program: one command per verb of the design.
int main() { return 0; }
