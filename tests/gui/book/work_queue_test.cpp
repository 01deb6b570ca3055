// Jobs on a thread of their own: in order, each once where that is asked for, and none after its queue is gone.
#include "gui/book/work_queue.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui::work_queue_test {
namespace {
/// Holds the queue's thread in its first job until it is released.
class Gate {
 public:
  void wait(const std::stop_token& stop) {
    entered_ = true;
    while (!open_ && !stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void until_entered() const {
    while (!entered_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void open() { open_ = true; }

 private:
  std::atomic<bool> entered_ = false, open_ = false;
};
}  // namespace

TEST_CASE("jobs are done in order; those of no use any more are no news") {
  std::mutex mutex;
  std::vector<int> did;
  std::atomic<int> woken = 0;
  WorkQueue<int> queue(
      [&](int job, const std::stop_token&) {
        const std::scoped_lock lock(mutex);
        did.push_back(job);
        return job != 2;
      },
      [&] { ++woken; });
  for (const int job : {1, 2, 3, 1}) queue.add(job);
  queue.settle();
  CHECK(did == std::vector{1, 2, 3, 1});
  CHECK(queue.done() == 3);
}

TEST_CASE("a waiting job is added once, and dropped where nobody wants it") {
  Gate gate;
  std::vector<int> did;
  WorkQueue<int> queue(
      [&](int job, const std::stop_token& stop) {
        if (job == 0) gate.wait(stop);
        did.push_back(job);
        return true;
      },
      nullptr);
  queue.add(0);
  gate.until_entered();
  for (const int job : {5, 6, 5, 7}) queue.add_once(job);
  queue.add_once(0);  // the one in progress is not waiting any more
  queue.drop([](int job) { return job == 6; });
  gate.open();
  queue.settle();
  CHECK(did == std::vector{0, 5, 7, 0});
}

TEST_CASE("a queue that goes asks its job to stop, and begins no other") {
  Gate gate;
  std::atomic<int> did = 0, woken = 0;
  {
    WorkQueue<int> queue(
        [&](int, const std::stop_token& stop) {
          gate.wait(stop);
          ++did;
          return true;
        },
        [&] { ++woken; });
    queue.add(1);
    queue.add(2);
    gate.until_entered();
  }
  CHECK(did == 1);
  CHECK(woken == 0);
}

}  // namespace warpbook::gui::work_queue_test
