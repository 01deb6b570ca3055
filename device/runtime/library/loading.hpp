// Loading code from where programs have it: from memory, from files and from the driver's linker. Both APIs do so.
#pragma once

#include <string>
#include <vector>

#include "device/runtime/library/registry.hpp"

namespace warpbook::device::runtime {

/// The buffers for messages that a program gives a compiler, of all its options. Their numbers are CUjit_option's, and those of
/// cudaJitOption.
class JitLogs {
 public:
  JitLogs() = default;
  JitLogs(const std::vector<int>& options, void** values);
  /// Fills the buffer for errors with as much of `errors` as fits, empties the one for information, and puts the number of bytes
  /// that were written in place of their sizes.
  void write(const std::string& errors) const;

 private:
  struct Buffer {
    char* text = nullptr;
    void** bytes = nullptr;  ///< its size in, and out how much was written
  };
  static void fill(const Buffer& buffer, const std::string& text);

  Buffer errors_, information_;
};

/// Loads the image at an address (image_at), or what the driver's linker made there.
cudaError_t load_at(Call& call, const void* image, const Context* context, LoadedCode*& code,
                    const JitLogs& logs);
/// The bytes of a file. Error: cudaErrorFileNotFound.
cudaError_t read_image(const char* file, std::string& bytes);

/// Keeps images that are linked with each other, and gives what stands for them: bytes that load_at() takes.
std::string keep_linked(const std::vector<std::string>& images);

}  // namespace warpbook::device::runtime
