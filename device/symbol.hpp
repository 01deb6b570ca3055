// Functions of a shared library that was opened while the program runs.
#pragma once

#include <dlfcn.h>

namespace warpbook::device {

/// Sets `function` to what `library` (dlopen's) has by this name, or to null; whether it has it.
template <class Function>
bool take_symbol(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace warpbook::device
