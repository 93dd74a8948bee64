#include "tests/simulated_driver/driver/protection.h"

#include <sys/mman.h>

#include "tests/simulated_driver/driver/settings.h"

namespace qd::simulated {
namespace {

/// -1: there are no keys. New threads, and those that were there before, have the key's memory closed.
int key() {
  static const int allocated = settings_of_environment().keys ? pkey_alloc(0, PKEY_DISABLE_ACCESS) : -1;
  return allocated;
}

void set_rights(unsigned rights) {
  if (key() >= 0) pkey_set(key(), rights);
}

}  // namespace

bool has_keys() { return key() >= 0; }

bool make_protected(void* begin, size_t bytes) {
  constexpr int kAccess = PROT_READ | PROT_WRITE;
  return (has_keys() ? pkey_mprotect(begin, bytes, kAccess, key()) : mprotect(begin, bytes, kAccess)) == 0;
}

void make_inaccessible(void* begin, size_t bytes) { mprotect(begin, bytes, PROT_NONE); }

Opened::Opened() { set_rights(0); }
Opened::~Opened() { set_rights(PKEY_DISABLE_ACCESS); }

}  // namespace qd::simulated
