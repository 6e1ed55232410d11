import java.util.List;
import scala.collection.immutable.Seq;
import viper.silicon.SiliconFrontend;

/** Verifies one file several times in one JVM, as Silicon's runner does, and prints what the fastest time took. */
class ViperWarm {
    public static void main(String[] args) {
        int times = Integer.parseInt(args[0]);
        Seq<String> rest = scala.jdk.javaapi.CollectionConverters.asScala(
            List.of(args).subList(1, args.length)).toSeq();
        double seconds = Double.POSITIVE_INFINITY;
        boolean verified = false;
        long begin = System.nanoTime();
        for (int at = 0; at < times; at++) {
            long start = System.nanoTime();
            SiliconFrontend frontend = new SiliconFrontend(
                viper.silver.reporter.NoopReporter$.MODULE$,
                viper.silver.logger.ViperStdOutLogger$.MODULE$.apply("warm", "OFF").get());
            frontend.execute(rest, scala.Option.empty());
            verified = frontend.result() == viper.silver.verifier.Success$.MODULE$;
            frontend.verifier().stop();
            seconds = Math.min(seconds, (System.nanoTime() - start) / 1e9);
            // A minute tells enough.
            if (at > 0 && (System.nanoTime() - begin) / 1e9 > 60) {
                break;
            }
        }
        System.out.printf(java.util.Locale.ROOT, "%.3f %s%n", seconds, verified ? "verified" : "failed");
        System.exit(0);
    }
}
