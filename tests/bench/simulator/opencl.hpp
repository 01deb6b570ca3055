// POCL, an OpenCL for CPUs, on one core: found when the bench runs, since nothing else in this repository needs it.
#pragma once

#include <memory>
#include <string>

#include "device/error.hpp"
#include "tests/bench/simulator/cases.hpp"

namespace warpbook::bench {

class OpenCl {
 public:
  /// An error says what is missing and what to do.
  static tl::expected<std::unique_ptr<OpenCl>, std::string> open();
  ~OpenCl();
  OpenCl(const OpenCl&) = delete;
  OpenCl& operator=(const OpenCl&) = delete;

  [[nodiscard]] const std::string& description() const { return description_; }

  /// A case built for POCL, with its buffers in place. The OpenCl and the case must outlive it.
  class Kernel {
   public:
    Kernel(OpenCl& opencl, const Case& c);
    ~Kernel();
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    /// One launch, waited for.
    void run();
    /// Zeros in the output, one launch, and what it wrote.
    Array result();

   private:
    struct State;
    std::unique_ptr<State> state_;
  };

 private:
  struct Library;
  OpenCl();
  std::unique_ptr<Library> library_;
  std::string description_;
};

}  // namespace warpbook::bench
