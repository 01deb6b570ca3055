// Any bytes at all as a PTX text: an error, or a module on which the decoder can rely.
#include <cstdio>
#include <cstdlib>

#include "tests/device/simulator/ptx/well_formed.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace warpbook::device;
  const Expected<ptx::Module> module =
      ptx::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.ptx");
  if (!module) {
    return 0;
  }
  const std::string complaint = ptx::WellFormed(*module).complaint();
  if (!complaint.empty()) {
    std::fprintf(stderr, "not well formed: %s\n", complaint.c_str());
    std::abort();
  }
  return 0;
}
