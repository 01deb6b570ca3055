// The system calls that a program in a box may not make.
#pragma once

#include "device/box/refusal.hpp"

namespace warpbook::device::runtime {

/// What other layers see to, so that the filter need not.
struct FilterNeeds {
  bool own_files = false;    ///< no file of others has a name here: metadata may be changed by name
  bool own_numbers = false;  ///< no process of others has a number here
  bool signals_kept = false;  ///< signals reach the program's own processes alone
};

/// Refuses, for this process and its children: sockets, tracing, mounting, namespaces, keys, other processes' limits and the
/// parts of the kernel that no such program needs. Everything else is allowed. Needs no_new_privs.
Refusal enter_program_filter(const FilterNeeds& needs);

}  // namespace warpbook::device::runtime
